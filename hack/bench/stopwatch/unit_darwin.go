package main

const maxrssUnit = 1 // bytes, other than everywhere else
