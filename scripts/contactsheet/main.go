// Contactsheet photographs pages at the widths of a phone, a tablet, a laptop and a desktop,
// in light and dark, and puts the pictures on one page, sheet.html:
//
//	go run ./scripts/contactsheet -o sheet site
//	go run ./scripts/contactsheet -o sheet http://127.0.0.1:8370/ match.html
//
// Of a folder it takes all pages, of bots and replays the first three each.
package main

import (
	"flag"
	"fmt"
	"html"
	"io/fs"
	"log"
	"net/url"
	"os"
	"path/filepath"
	"strings"
	"time"

	"github.com/chromedp/cdproto/emulation"
	"github.com/chromedp/chromedp"

	"umpire/referee/report/html/browsertest"
)

var widths = []int64{390, 768, 1280, 1920}

// perFolder is how many pages of a folder are taken, but for those of the site's own.
const perFolder = 3

func main() {
	out := flag.String("o", "sheet", "`FOLDER` for the pictures")
	tall := flag.Int64("height", 900, "of a window, in pixels")
	flag.Parse()
	if err := photograph(*out, *tall, flag.Args()); err != nil {
		log.Fatal(err)
	}
}

func photograph(out string, tall int64, sources []string) error {
	pages, err := pagesOf(sources)
	if err != nil {
		return err
	}
	if err := os.MkdirAll(out, 0o755); err != nil {
		return err
	}
	ctx, stop, err := browsertest.Start()
	if err != nil {
		return fmt.Errorf("start Chromium: %w", err)
	}
	defer stop()
	var sheet strings.Builder
	sheet.WriteString("<!doctype html><meta charset=utf-8><title>Contact sheet</title><style>img{width:24%;vertical-align:top;border:1px solid #888}</style>\n")
	for n, page := range pages {
		fmt.Fprintf(&sheet, "<h2>%s</h2>\n", html.EscapeString(page))
		for _, scheme := range []string{"light", "dark"} {
			for _, width := range widths {
				var png []byte
				err := chromedp.Run(ctx, emulation.SetDeviceMetricsOverride(width, tall, 1, false),
					emulation.SetEmulatedMedia().WithFeatures([]*emulation.MediaFeature{{Name: "prefers-color-scheme", Value: scheme}}),
					chromedp.Navigate("about:blank"), chromedp.Navigate(page), chromedp.Sleep(300*time.Millisecond), chromedp.FullScreenshot(&png, 100))
				if err != nil {
					return fmt.Errorf("photograph %s: %w", page, err)
				}
				name := fmt.Sprintf("%02d-%s-%d.png", n+1, scheme, width)
				if err := os.WriteFile(filepath.Join(out, name), png, 0o644); err != nil {
					return err
				}
				fmt.Fprintf(&sheet, "<img src=%s alt=%q>\n", name, fmt.Sprintf("%d pixels, %s", width, scheme))
			}
		}
	}
	return os.WriteFile(filepath.Join(out, "sheet.html"), []byte(sheet.String()), 0o644)
}

// pagesOf lists the addresses of pages: those given, and those in folders.
func pagesOf(sources []string) (pages []string, err error) {
	for _, source := range sources {
		if strings.Contains(source, "://") {
			pages = append(pages, source)
			continue
		}
		source, suffix, _ := strings.Cut(source, "#")
		root, err := filepath.Abs(source)
		if err != nil {
			return nil, err
		}
		taken := make(map[string]int)
		err = filepath.WalkDir(root, func(path string, d fs.DirEntry, err error) error {
			folder := filepath.Dir(path)
			if err != nil || d.IsDir() || filepath.Ext(path) != ".html" || folder != root && taken[folder] == perFolder {
				return err
			}
			taken[folder]++
			pages = append(pages, (&url.URL{Scheme: "file", Path: path, Fragment: suffix}).String())
			return nil
		})
		if err != nil {
			return nil, err
		}
	}
	return pages, nil
}
