"""A room and its bookings."""

from booking.slot import Slot


class Taken(Exception):
    """The room is not free at that time."""


class Room:
    def __init__(self, name: str) -> None:
        self.name = name
        self._bookings: list[tuple[Slot, str]] = []

    def book(self, slot: Slot, person: str) -> None:
        for taken, holder in self._bookings:
            if slot.overlaps(taken):
                raise Taken(f"{self.name} is taken by {holder}")
        self._bookings.append((slot, person))

    def holder(self, minute: int) -> "str | None":
        """Who has the room at `minute`."""
        for slot, person in self._bookings:
            if slot.start <= minute < slot.end:
                return person
        return None
