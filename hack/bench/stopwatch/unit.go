//go:build !darwin

package main

const maxrssUnit = 1024 // getrusage(2)
