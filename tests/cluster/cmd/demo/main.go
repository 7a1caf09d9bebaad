// Command demo is every container of the demo application: a shop's part that serves HTTP, works, waits or crashes.
//
//	demo serve [ADDRESS]   answers every path with 200 and logs each request; default :8080
//	demo work              logs one line per second
//	demo crash             logs two lines and exits with 3
package main

import (
	"fmt"
	"net/http"
	"os"
	"os/signal"
	"syscall"
	"time"
)

func main() {
	mode := "serve"
	if len(os.Args) > 1 {
		mode = os.Args[1]
	}
	name, _ := os.Hostname()
	fmt.Printf("level=info message=%q pod=%s mode=%s\n", "starting", name, mode)
	switch mode {
	case "serve":
		serve()
	case "work":
		work()
	case "crash":
		fmt.Fprintln(os.Stderr, `level=error message="cannot reach the bank: no route to host"`)
		os.Exit(3)
	default:
		fmt.Fprintf(os.Stderr, "unknown mode %q (known: serve, work, crash)\n", mode)
		os.Exit(2)
	}
}

func serve() {
	address := ":8080"
	if len(os.Args) > 2 {
		address = os.Args[2]
	}
	http.HandleFunc("/", func(response http.ResponseWriter, request *http.Request) {
		fmt.Printf("level=info method=%s path=%q\n", request.Method, request.URL.Path)
		fmt.Fprintln(response, "ok")
	})
	go func() {
		fmt.Fprintln(os.Stderr, http.ListenAndServe(address, nil))
		os.Exit(1)
	}()
	stopped := stop()
	<-stopped
	fmt.Println(`level=info message="stopping"`)
}

func work() {
	stopped := stop()
	for number := 1; ; number++ {
		select {
		case <-stopped:
			return
		case <-time.After(time.Second):
			fmt.Printf("level=info message=%q number=%d\n", "order packed", number)
		}
	}
}

func stop() chan os.Signal {
	stopped := make(chan os.Signal, 1)
	signal.Notify(stopped, syscall.SIGTERM, syscall.SIGINT)
	return stopped
}
