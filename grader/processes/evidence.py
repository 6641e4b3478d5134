"""What the outcome of a test rests on."""

from dataclasses import dataclass, field

from grader.model import Basis


@dataclass
class Evidence:
    """What the tests of a submission have asked for."""

    kinds: set[Basis] = field(default_factory=set)
    """In the current test."""
    measured: set[bytes] = field(default_factory=set)
    """The programs whose facts the current test has used."""
    ran: set[bytes] = field(default_factory=set)
    """The programs that ran, in any test so far."""

    def begin(self) -> None:
        """The next test begins."""
        self.kinds.clear()
        self.measured.clear()

    @property
    def basis(self) -> Basis | None:
        """A fact of a program that never ran is a report: nothing shows what that one computes."""
        kinds = self.kinds | ({Basis.REPORT} if self.measured - self.ran else set())
        return next((kind for kind in Basis if kind in kinds), None)
