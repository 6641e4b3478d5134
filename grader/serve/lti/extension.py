"""What `grader serve --lti` adds to the server: its pages, and the sender of marks."""

from __future__ import annotations

import asyncio
from contextlib import suppress

from grader.serve.lti.keys import KEPT, OwnKeys, TheirKeys
from grader.serve.lti.launch import KEYS, LAUNCHED, LOGIN, OPEN, Launches
from grader.serve.lti.net import NoAnswer
from grader.serve.lti.pages import TeachersPages
from grader.serve.lti.records import Platform, Records
from grader.serve.lti.registration import Registration
from grader.serve.lti.scores import ScoreQueue, Sender
from grader.serve.service import Service
from grader.serve.visit import ANYBODY, TEACHER, View


class LtiExtension:
    """LTI for one server, which calls `queue.changed` when a mark may have changed."""

    def __init__(self, service: Service) -> None:
        own, records = OwnKeys(service.database), Records(service.database)
        self.queue, self.sender = ScoreQueue(service, records), Sender(service, records, own)
        self.launches = Launches(service, records, own, TheirKeys(), self.queue)
        service.changed, service.unsent = self.queue.changed, self.queue.unsent
        service.has_lti = True

    @property
    def views(self) -> tuple[View, ...]:
        launches, board = self.launches, TeachersPages(self.queue)
        admins = Registration(launches)
        framed, invited = launches.framed, "/lti/register/{secret}"
        return (
            View("GET", LOGIN, launches.login, ANYBODY),
            View("POST", LOGIN, launches.login, ANYBODY, is_from_elsewhere=True),
            View("POST", LAUNCHED, framed(launches.launch), ANYBODY, is_from_elsewhere=True),
            View("POST", OPEN, launches.open, ANYBODY),
            View("GET", KEYS, launches.get_keys, ANYBODY),
            View("GET", "/lti/canvas.json", admins.get_canvas, ANYBODY),
            View("GET", invited, framed(admins.get), ANYBODY),
            View("POST", invited, framed(admins.post), ANYBODY),
            View("GET", "/lti", board.get_lti, TEACHER),
            View("POST", "/lti/claim", board.post_claim, TEACHER),
            View("POST", "/lti/course", board.post_course, TEACHER),
            View("POST", "/lti/link", board.post_link, TEACHER),
            View("POST", "/lti/join", board.post_join, TEACHER),
            View("GET", "/lti/scores/{assignment}", board.get_scores, TEACHER),
            View("POST", "/lti/scores/{assignment}/send", board.post_send, TEACHER),
            View("POST", "/lti/scores/{assignment}/again", board.post_again, TEACHER),
        )

    async def run(self) -> None:
        """Sends until it is cancelled. What an earlier end left is queued when marks are known."""
        async with asyncio.TaskGroup() as group:
            group.create_task(self.sender.run())
            group.create_task(self._keep_keys())
            while not self.queue.service.is_proved:
                await asyncio.sleep(0.2)
            await asyncio.to_thread(self.queue.begin)

    async def _keep_keys(self) -> None:
        """So that no launch waits for a platform's keys."""
        while True:
            for platform in self.launches.records.all(Platform):
                with suppress(NoAnswer):
                    await asyncio.to_thread(self.launches.theirs.fetch, platform)
            await asyncio.sleep(KEPT / 2)
