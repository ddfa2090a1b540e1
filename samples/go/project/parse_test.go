package length

import "testing"

func TestParse(t *testing.T) {
	for text, want := range map[string]int{"1:15": 75, "0:59": 59, "10:00": 600} {
		if got, err := Parse(text); err != nil || got != want {
			t.Errorf("Parse(%q) = %d, %v, want %d", text, got, err, want)
		}
	}
}
