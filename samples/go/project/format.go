// Package length reads and writes lengths of time.
package length

import "fmt"

// Format shows seconds as minutes and seconds.
func Format(seconds int) string {
	return fmt.Sprintf("%d:%d", seconds/60, seconds%60)
}
