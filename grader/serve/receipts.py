"""A receipt says what was handed in and when, signed by the server (Ed25519).

    attempt --Signer.receipt--> text with a signature --check--> who, what, when; or `UsageError`

The key of the server is made once and kept in `serve.db`. The receipt holds its public half, so a
check tells whose server signed, too.
"""

from __future__ import annotations

import base64
import json
from typing import Any

from cryptography.exceptions import InvalidSignature
from cryptography.hazmat.primitives.asymmetric.ed25519 import Ed25519PrivateKey, Ed25519PublicKey

from grader.records import digests
from grader.records.errors import UsageError
from grader.serve.database import Database, HandedIn
from grader.serve.marks import iso

_ABOUT = "receipt key"


class Signer:
    """Signs with the key of one server."""

    def __init__(self, database: Database) -> None:
        kept = database.about(_ABOUT)
        self._key = (
            Ed25519PrivateKey.from_private_bytes(base64.b64decode(kept))
            if kept
            else Ed25519PrivateKey.generate()
        )
        if not kept:
            database.remember(_ABOUT, _text(self._key.private_bytes_raw()))

    @property
    def public(self) -> str:
        """The public key, in base 64."""
        return _text(self._key.public_key().public_bytes_raw())

    def receipt(self, one: HandedIn, text: str) -> str:
        """As JSON, to be kept by the student."""
        said = {
            "person": one.person,
            "assignment": one.assignment,
            "exercise": one.exercise,
            "attempt": one.id,
            "at": iso(one.at),
            "sha256": digests.plain(text).hex(),
        }
        signature = _text(self._key.sign(_signed(said)))
        return json.dumps({**said, "key": self.public, "signature": signature}, indent=2) + "\n"


def check(receipt: str, public: str) -> dict[str, str]:
    """What a receipt says, if this server signed it. Raises `UsageError` if it didn't."""
    try:
        said: dict[str, Any] = json.loads(receipt)
        key, signature = said.pop("key"), base64.b64decode(said.pop("signature"))
        if key != public:
            raise UsageError("another server signed this receipt, or nobody: its key is not ours.")
        Ed25519PublicKey.from_public_bytes(base64.b64decode(public)).verify(
            signature, _signed(said)
        )
    except InvalidSignature:
        raise UsageError("this receipt was changed after it was signed.") from None
    except (ValueError, KeyError, TypeError, AttributeError) as error:
        raise UsageError(f"this is no receipt of a server: {error}.") from error
    return {name: str(value) for name, value in said.items()}


def _signed(said: dict[str, Any]) -> bytes:
    return json.dumps(said, sort_keys=True, separators=(",", ":")).encode()


def _text(data: bytes) -> str:
    return base64.b64encode(data).decode()
