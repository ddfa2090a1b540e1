import unittest

from booking.room import Room, Taken
from booking.slot import parse_slot


class RoomTest(unittest.TestCase):
    def setUp(self) -> None:
        self.room = Room("Harbour")
        self.room.book(parse_slot("09:00-10:00"), "Ada")

    def test_one_meeting_may_follow_another(self) -> None:
        self.room.book(parse_slot("10:00-11:00"), "Bo")
        self.assertEqual(self.room.holder(10 * 60), "Bo")

    def test_a_taken_room_is_refused(self) -> None:
        with self.assertRaises(Taken):
            self.room.book(parse_slot("09:30-10:30"), "Bo")

    def test_a_meeting_inside_another_is_refused(self) -> None:
        with self.assertRaises(Taken):
            self.room.book(parse_slot("09:15-09:45"), "Bo")


class SlotTest(unittest.TestCase):
    def test_a_slot_needs_a_length(self) -> None:
        with self.assertRaises(ValueError):
            parse_slot("10:00-10:00")


if __name__ == "__main__":
    unittest.main()
