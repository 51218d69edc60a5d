package replay

import (
	"html/template"
	"strings"

	"umpire/referee"
	"umpire/referee/report/html/page"
)

// Shared is the data of a page that plays several matches back. What their pictures and
// their parts of the page have in common is stored once.
type Shared struct {
	album   album
	matches []sharedMatch
}

// sharedMatch is one of its matches.
type sharedMatch struct {
	Title string `json:"title"`
	Page  []int  `json:"page"` // the texts of which the page consists
	Data  *data  `json:"data,omitempty"`
}

// Add adds a match, with pictures of the phases of its moves if that is asked for. The
// error says why it can't be played back; then it has not been added.
func (s *Shared) Add(m Match, phases bool) error {
	return referee.Guard(func() error {
		most := sharedPage
		most.phases = phases
		v, err := m.viewIn(&s.album, most)
		if err != nil {
			return err
		}
		part, err := templates.Render("match", v)
		if err == nil {
			s.add(sharedMatch{Title: v.Title, Data: &v.Data}, string(part))
		}
		return err
	})
}

// AddMissing adds the part of the page of a match that is not played back.
func (s *Shared) AddMissing(title, part string) { s.add(sharedMatch{Title: title}, part) }

func (s *Shared) add(m sharedMatch, part string) {
	for line := range strings.Lines(part) {
		m.Page = append(m.Page, s.album.text(line))
	}
	s.matches = append(s.matches, m)
}

// Pack returns the data as the page has it. It is the unit-th such page, and begins with
// the first match, counted from 1, of total.
func (s *Shared) Pack(unit, first, total int) (template.HTML, error) {
	return page.Pack(sharedData{first, first > 1, first+len(s.matches) <= total, unit, s.album.texts.Values, s.matches})
}

// sharedData is that data.
type sharedData struct {
	First   int           `json:"first"` // number of the first match
	Before  bool          `json:"before"`
	After   bool          `json:"after"`
	Unit    int           `json:"unit"`
	Texts   texts         `json:"texts"` // of pictures and pages
	Matches []sharedMatch `json:"matches"`
}
