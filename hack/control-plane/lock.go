package main

import (
	"context"
	"time"
)

// lock waits until no other process holds the lock at path. The system lets go of
// it when a process dies, however it dies.
func lock(ctx context.Context, path string) (unlock func(), err error) {
	for waiting := false; ; waiting = true {
		unlock, err := tryLock(path)
		if err != nil || unlock != nil {
			return unlock, err
		}
		if !waiting {
			progress("another process is building, waiting for it...")
		}
		select {
		case <-ctx.Done():
			return nil, ctx.Err()
		case <-time.After(200 * time.Millisecond):
		}
	}
}
