"""A receipt says what was submitted and when, with a code that only this server can make (HMAC).

    attempt --Signer.receipt--> text with a code --Signer.check--> who, what, when; or `UsageError`

The secret is made once and kept in `serve.db`. A receipt names the secret by an id, so a check
tells a receipt of another server from one that was changed.
"""

from __future__ import annotations

import hmac
import json
import secrets

from grader.records import digests
from grader.records.errors import UsageError
from grader.records.model import unpack
from grader.serve.database import Database, StoredAttempt
from grader.serve.marks import iso

_ABOUT = "receipt key"


class Signer:
    def __init__(self, database: Database) -> None:
        self._secret = database.about(_ABOUT) or ""
        if not self._secret:
            self._secret = secrets.token_hex(32)
            database.remember(_ABOUT, self._secret)
        self.key_id = digests.of("receipt", self._secret)[:16]

    def receipt(self, attempt: StoredAttempt, text: str) -> str:
        """As JSON, to be kept by the student."""
        facts = {
            "person": attempt.person,
            "assignment": attempt.assignment,
            "exercise": attempt.exercise,
            "attempt": attempt.id,
            "at": iso(attempt.at),
            "sha256": digests.plain(text).hex(),
        }
        signed = {**facts, "key": self.key_id, "signature": self._code(facts)}
        return json.dumps(signed, indent=2) + "\n"

    def check(self, receipt: str) -> dict[str, str]:
        """What a receipt says, if this server signed it. Raises `UsageError` if it didn't."""
        try:
            facts = unpack(receipt, dict[str, str])
            key_id, code = facts.pop("key"), facts.pop("signature").encode()
        except (ValueError, KeyError, RecursionError) as error:
            raise UsageError(f"this is not a server's receipt: {error}.") from error
        if key_id != self.key_id:
            raise UsageError("this server did not sign this receipt: it names a different key.")
        if not hmac.compare_digest(code, self._code(facts).encode()):
            raise UsageError("this receipt was changed after it was signed.")
        return facts

    def _code(self, facts: dict[str, str]) -> str:
        text = json.dumps(facts, sort_keys=True, separators=(",", ":"))
        return hmac.digest(self._secret.encode(), text.encode(), "sha256").hex()
