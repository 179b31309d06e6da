//go:build unix

package terminal

import "syscall"

// inOwnSession makes standard input the controlling terminal.
func inOwnSession() *syscall.SysProcAttr { return &syscall.SysProcAttr{Setsid: true, Setctty: true} }
