"""A stretch of time in a room."""

from dataclasses import dataclass


@dataclass(frozen=True)
class Slot:
    """From `start` until just before `end`, in minutes since midnight."""

    start: int
    end: int

    def __post_init__(self) -> None:
        if not 0 <= self.start < self.end <= 24 * 60:
            raise ValueError(f"not a slot: {self.start}-{self.end}")

    def overlaps(self, other: "Slot") -> bool:
        return self.start <= other.end and other.start <= self.end


def parse_slot(text: str) -> Slot:
    """`09:00-10:30`"""
    start, _, end = text.partition("-")
    return Slot(_minutes(start), _minutes(end))


def _minutes(text: str) -> int:
    hours, _, minutes = text.partition(":")
    return int(hours) * 60 + int(minutes)
