package length

import "fmt"

// Parse is the number of seconds of minutes and seconds.
func Parse(text string) (int, error) {
	var minutes, seconds int
	if _, err := fmt.Sscanf(text, "%d:%d", &minutes, &seconds); err != nil {
		return 0, fmt.Errorf("no length: %q", text)
	}
	return minutes*60 + seconds, nil
}
