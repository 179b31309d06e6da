// bare is the smallest kubectl plugin that connects, reads and prints: what start-up is measured against.
package main

import (
	"fmt"
	"os"

	"github.com/spf13/cobra"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/cli-runtime/pkg/genericclioptions"
	"k8s.io/client-go/kubernetes"
)

func main() {
	flags := genericclioptions.NewConfigFlags(true)
	cmd := &cobra.Command{Use: "bare", RunE: func(cmd *cobra.Command, _ []string) error {
		config, err := flags.ToRESTConfig()
		if err != nil {
			return err
		}
		client, err := kubernetes.NewForConfig(config)
		if err != nil {
			return err
		}
		pods, err := client.CoreV1().Pods("").List(cmd.Context(), metav1.ListOptions{})
		if err != nil {
			return err
		}
		_, err = fmt.Fprintln(cmd.OutOrStdout(), len(pods.Items))
		return err
	}}
	flags.AddFlags(cmd.Flags())
	if cmd.Execute() != nil {
		os.Exit(1)
	}
}
