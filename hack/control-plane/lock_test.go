package main

import (
	"context"
	"errors"
	"path/filepath"
	"testing"
)

func TestLockIsForOneAtATime(t *testing.T) {
	path := filepath.Join(t.TempDir(), "lock")
	unlock, err := lock(t.Context(), path)
	if err != nil {
		t.Fatal(err)
	}
	if second, err := tryLock(path); second != nil || err != nil {
		t.Fatalf("a second lock was taken, or error %v", err)
	}
	interrupted, interrupt := context.WithCancel(t.Context())
	interrupt()
	if _, err := lock(interrupted, path); !errors.Is(err, context.Canceled) {
		t.Errorf("error %v, want that waiting was interrupted", err)
	}
	unlock()
	again, err := lock(t.Context(), path)
	if err != nil {
		t.Fatal(err)
	}
	again()
}
