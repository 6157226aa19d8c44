// Package validator stands in for gopkg.in/validator.v2, which the generated client imports to tell kinds apart by the
// patterns of their fields. The kinds of Dealt's description are told apart by their discriminators.
package validator

// Validate accepts every value.
func Validate(any) error { return nil }
