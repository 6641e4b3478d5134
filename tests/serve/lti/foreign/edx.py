# mypy: disable-error-code="import-not-found, import-untyped", allow-subclassing-any
"""A platform that our code shares nothing with: the LTI of Open edX, on Django and SQLite.

Written for lti-consumer-xblock 11.4.4 (AGPL), which alone speaks LTI here: its block, models, views
and signals. We never import it. This script runs in an environment of its own, which needs

    pip install lti-consumer-xblock==11.4.4 cryptography

and is started by `PYTHON edx.py PORT TOOL_ADDRESS [programmatic|declarative]`. PORT may be 0. Once
it listens, it prints one line of JSON with the addresses and names that a tool has to know; the
rest goes to stderr. It keeps its data in a folder that it deletes when it ends.

What stands for the LMS around the package is here: people, who are logged in by `start?user=NAME`,
a course with one graded block, and a gradebook. Whose name begins with `student`, `instructor` or
`admin` (global staff) has that role, everybody else is of the course's staff. A launch tells
neither name nor address, since a teacher has to allow it in the block, and here didn't.

What Open edX leaves unchecked, so that a launch or a score here says nothing about it:
- whether the tool's assertion for a token names the right `iss`, `sub` and `aud`, is new (`jti`),
  ends (`exp` may miss), or its header the right `kid`. Its signature is checked, and `exp` if any.
- whether the scopes asked for are those of the launch, and whether a deep link answers a request:
  `iss`, `aud`, `nonce` and `deployment_id` of the answer may be anything.
- whether `login_hint` is the person of the launch, or logged in at all. Only a deep link's answer
  needs the cookie of somebody who may write to the course.
"""

from __future__ import annotations

import json
import logging
import signal
import sys
import tempfile
import uuid
from pathlib import Path
from socketserver import ThreadingMixIn
from threading import Lock
from types import SimpleNamespace
from typing import Any
from wsgiref.simple_server import WSGIRequestHandler, WSGIServer

from django.conf import settings
from django.contrib.auth import get_user_model, login
from django.core.management import call_command
from django.core.wsgi import get_wsgi_application
from django.http import HttpResponseRedirect, JsonResponse
from django.urls import include, path
from lti_consumer.exceptions import LtiError
from lti_consumer.lti_xblock import LtiConsumerXBlock
from lti_consumer.plugin import compat
from opaque_keys.edx.keys import UsageKey
from xblock.field_data import DictFieldData
from xblock.fields import ScopeIds
from xblock.reference.user_service import XBlockUser

PLACE = UsageKey.from_string("block-v1:Grader+JAX+2026+type@lti_consumer+block@lab1")
COURSE = SimpleNamespace(
    display_name_with_default="Arrays in JAX", display_org_with_default="Grader"
)
ROLES = ("student", "instructor", "admin")

fields: dict[str, Any] = {}  # of the block: what a teacher sets in Studio
gradebook: dict[int, float] = {}  # by user: what the block told the LMS
urlpatterns: list[Any] = []


class Runtime:
    """What the block asks of the LMS: who looks at it, and to note a grade."""

    def __init__(self, user: Any) -> None:
        self.user = user

    def service(self, block: Any, name: str) -> Runtime | None:
        return self if name in {"user", "rebind_user"} else None

    def get_current_user(self) -> Any:
        name = self.user.username
        found = XBlockUser(emails=[self.user.email], full_name=self.user.first_name)
        found.opt_attrs = {
            "edx-platform.is_authenticated": True,
            "edx-platform.user_id": self.user.id,
            "edx-platform.username": name,
            "edx-platform.user_role": role(name),
            "edx-platform.user_is_staff": role(name) == "admin",
        }
        return found

    def get_external_user_id(self, kind: str) -> str:
        return external_id(self.user)

    def rebind_noauth_module_to_user(self, block: Any, user: Any) -> None:
        pass

    def publish(self, block: Any, event: str, data: dict[str, Any]) -> None:
        gradebook[data["user_id"]] = data["value"]


class Block(LtiConsumerXBlock):
    due = graceperiod = None  # in the LMS, all blocks have these


def role(name: str) -> str:
    return next((role for role in ROLES if name.startswith(role)), "staff")


def external_id(user: Any) -> str:
    """What tools know a person by."""
    return str(uuid.uuid5(uuid.NAMESPACE_DNS, user.username))


def find_user(external: str) -> Any:
    for user in get_user_model().objects.all():
        if external_id(user) == external:
            return user
    raise LtiError("Invalid User")


def load_block(place: Any, user: Any = None) -> Any:
    ids = ScopeIds(user and user.id, "lti_consumer", PLACE, PLACE)
    return Block(Runtime(user), DictFieldData(dict(fields)), ids)


def stand_in_for_the_lms() -> None:
    """The package calls the LMS through one module, which its own tests replace, too."""
    compat.load_enough_xblock = load_block
    compat.load_block_as_user = load_block
    compat.get_course_by_id = lambda course: COURSE
    compat.get_user_from_external_user_id = find_user
    compat.user_course_access = lambda course, user, *_, **__: user.is_authenticated
    compat.user_has_access = lambda user, *_: user.is_authenticated
    compat.user_has_studio_write_access = lambda user, course: (
        user.is_authenticated and role(user.username) != "student"
    )


def start(request: Any) -> Any:
    """Log somebody in and open the block; with `deep`, let them choose what it shows."""
    from lti_consumer import api

    name = request.GET["user"]
    facts = {"first_name": name.title(), "email": f"{name}@school.example"}
    user, _ = get_user_model().objects.get_or_create(username=name, defaults=facts)
    login(request, user)
    launch = load_block(PLACE, user).get_lti_1p3_launch_data()
    if "deep" in request.GET:
        url = api.get_lti_1p3_launch_start_url(launch, deep_link_launch=True)
    else:
        url = api.get_lti_1p3_content_url(launch)
    return HttpResponseRedirect(url)


def scores(request: Any) -> Any:
    """The scores that the platform stored. `published` is what the LMS made of one, if anything."""
    from lti_consumer.models import LtiAgsScore
    from lti_consumer.utils import get_lti_ags_lineitems_url

    people = {external_id(user): user for user in get_user_model().objects.all()}
    found = []
    for score in LtiAgsScore.objects.order_by("id"):
        user = people.get(score.user_id)
        item = score.line_item
        found.append(
            {
                "user": user and user.username,
                "sub": score.user_id,
                "given": score.score_given,
                "maximum": score.score_maximum,
                "grading_progress": score.grading_progress,
                "activity_progress": score.activity_progress,
                "comment": score.comment,
                "line_item": get_lti_ags_lineitems_url(item.lti_configuration_id, item.id),
                "published": user and gradebook.get(user.id),
            }
        )
    return JsonResponse(found, safe=False)


def items(request: Any) -> Any:
    """What the last deep link chose."""
    from lti_consumer.models import LtiDlContentItem

    stored = LtiDlContentItem.objects.order_by("id")
    return JsonResponse([{"type": i.content_type} | i.attributes for i in stored], safe=False)


class Server(ThreadingMixIn, WSGIServer):
    """Threads for browsers, which connect ahead; one request at a time for SQLite."""

    daemon_threads = True

    def serve(self, app: Any) -> None:
        turn = Lock()

        def one_by_one(environ: Any, start_response: Any) -> Any:
            with turn:
                return app(environ, start_response)

        self.set_app(one_by_one)
        self.serve_forever()


def main(port: int, tool: str, ags_mode: str = "programmatic") -> None:
    server = Server(("127.0.0.1", port), WSGIRequestHandler)
    address = f"http://127.0.0.1:{server.server_port}"
    with tempfile.TemporaryDirectory(prefix="edx-") as folder:
        configure(address, Path(folder))
        app = get_wsgi_application()
        call_command("migrate", verbosity=0)
        stand_in_for_the_lms()
        fields.update(
            display_name="Lab 1",
            has_score=True,  # "This activity is graded": off by default
            lti_version="lti_1p3",
            lti_1p3_oidc_url=f"{tool}/lti/login",
            lti_1p3_launch_url=f"{tool}/lti/launch",
            lti_1p3_redirect_uris=[f"{tool}/lti/launch"],
            lti_1p3_tool_key_mode="keyset_url",
            lti_1p3_tool_keyset_url=f"{tool}/lti/jwks.json",
            lti_advantage_ags_mode=ags_mode,
            lti_advantage_deep_linking_enabled=True,
            lti_advantage_deep_linking_launch_url=f"{tool}/lti/launch",
        )
        urlpatterns.extend(
            [
                path("api/", include("lti_consumer.plugin.urls")),
                path("start", start),
                path("harness/scores", scores),
                path("harness/items", items),
            ]
        )
        print(json.dumps(names(address)), flush=True)
        server.serve(app)


def configure(address: str, folder: Path) -> None:
    logging.basicConfig(level=logging.INFO)
    settings.configure(
        ALLOWED_HOSTS=["127.0.0.1"],
        DATABASES={
            "default": {
                "ENGINE": "django.db.backends.sqlite3",
                "NAME": folder / "edx.sqlite3",
                "ATOMIC_REQUESTS": True,  # as in the LMS: a score that fails leaves nothing
                "OPTIONS": {"init_command": "PRAGMA synchronous = OFF"},
            }
        },
        DEFAULT_AUTO_FIELD="django.db.models.AutoField",
        INSTALLED_APPS=[
            "django.contrib.auth",
            "django.contrib.contenttypes",
            "django.contrib.sessions",
            "lti_consumer",
        ],
        LOGGING_CONFIG=None,
        LTI_BASE=address,
        MIDDLEWARE=[
            "edx_django_utils.cache.middleware.RequestCacheMiddleware",
            "django.contrib.sessions.middleware.SessionMiddleware",
            "django.contrib.auth.middleware.AuthenticationMiddleware",
            "edx_django_utils.cache.middleware.TieredCacheMiddleware",
        ],
        PLATFORM_NAME="Open edX",
        ROOT_URLCONF=__name__,
        SECRET_KEY="of a platform for tests",
        SESSION_COOKIE_NAME="edx_session",  # the tool's cookies are of the same host
        TEMPLATES=[
            {"BACKEND": "django.template.backends.django.DjangoTemplates", "APP_DIRS": True}
        ],
        USAGE_ID_PATTERN=r"(?P<usage_id>[^/]+)",
        USE_TZ=True,
    )


def names(address: str) -> dict[str, str]:
    """The lines that Studio shows a teacher to register the tool, and the harness's addresses."""
    from lti_consumer import api

    teacher = get_user_model().objects.create(username="staff")
    facts = api.get_lti_1p3_launch_info(load_block(PLACE, teacher).get_lti_1p3_launch_data())
    return {
        "issuer": address,
        "client_id": facts["client_id"],
        "deployment_id": facts["deployment_id"],
        "auth_url": facts["oidc_callback"],
        "token_url": facts["token_url"],
        "jwks_url": facts["keyset_url"],
        "start": f"{address}/start?user=student",
        "start_deep_link": f"{address}/start?deep=1&user=staff",
        "scores": f"{address}/harness/scores",
        "items": f"{address}/harness/items",
    }


if __name__ == "__main__":
    signal.signal(signal.SIGTERM, lambda *_: sys.exit(0))
    main(int(sys.argv[1]), *sys.argv[2:])
