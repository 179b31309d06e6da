package main

import (
	"errors"
	"fmt"
	"syscall"
)

const errorSharingViolation = syscall.Errno(32)

// tryLock returns no unlock and no error if another process holds the lock. To
// open a file without sharing it is the lock that the standard library can take.
func tryLock(path string) (unlock func(), err error) {
	name, err := syscall.UTF16PtrFromString(path)
	if err != nil {
		return nil, err
	}
	handle, err := syscall.CreateFile(name, syscall.GENERIC_READ|syscall.GENERIC_WRITE, 0, nil,
		syscall.OPEN_ALWAYS, syscall.FILE_ATTRIBUTE_NORMAL, 0)
	switch {
	case err == nil:
		return func() { syscall.CloseHandle(handle) }, nil
	case errors.Is(err, errorSharingViolation):
		return nil, nil
	default:
		return nil, fmt.Errorf("locking %s: %w", path, err)
	}
}
