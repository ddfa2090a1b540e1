package length

import "testing"

func TestFormat(t *testing.T) {
	for seconds, want := range map[int]string{65: "1:05", 75: "1:15"} {
		if got := Format(seconds); got != want {
			t.Errorf("Format(%d) = %q, want %q", seconds, got, want)
		}
	}
}
