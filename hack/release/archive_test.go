package main

import (
	"archive/tar"
	"archive/zip"
	"compress/gzip"
	"errors"
	"io"
	"os"
	"strings"
	"testing"
	"time"
)

type archived struct {
	content  []byte
	mode     os.FileMode
	modified time.Time
	owner    string // USER:GROUP; a zip has none
}

// unpack reads an archive as a person's tools do, and fails on a name twice and on what is not a file.
func unpack(t *testing.T, path string) map[string]archived {
	t.Helper()
	read := readTar
	if strings.HasSuffix(path, ".zip") {
		read = readZip
	}
	files := map[string]archived{}
	err := read(path, func(name string, file archived) error {
		if _, twice := files[name]; twice || !file.mode.IsRegular() {
			return errors.New(name + ": twice, or no file")
		}
		files[name] = file
		return nil
	})
	if err != nil {
		t.Fatalf("%s: %v", path, err)
	}
	return files
}

func readTar(path string, add func(string, archived) error) error {
	file, err := os.Open(path)
	if err != nil {
		return err
	}
	defer file.Close()
	unzipped, err := gzip.NewReader(file)
	if err != nil {
		return err
	}
	for reader := tar.NewReader(unzipped); ; {
		header, err := reader.Next()
		if errors.Is(err, io.EOF) {
			return nil
		}
		if err != nil {
			return err
		}
		content, err := io.ReadAll(reader)
		if err != nil {
			return err
		}
		owner := header.Uname + ":" + header.Gname
		if err := add(header.Name, archived{content, header.FileInfo().Mode(), header.ModTime, owner}); err != nil {
			return err
		}
	}
}

func readZip(path string, add func(string, archived) error) error {
	reader, err := zip.OpenReader(path)
	if err != nil {
		return err
	}
	defer reader.Close()
	for _, file := range reader.File {
		opened, err := file.Open()
		if err != nil {
			return err
		}
		content, err := io.ReadAll(opened)
		if err != nil {
			return err
		}
		if err := add(file.Name, archived{content: content, mode: file.Mode(), modified: file.Modified}); err != nil {
			return err
		}
	}
	return nil
}
