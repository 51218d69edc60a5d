// What a judge says to umpire and hears from it: see `umpire help topic own-games`.
#pragma once
#include <cstdlib>
#include <iostream>
#include <map>
#include <optional>
#include <sstream>
#include <string>
#include <vector>

namespace umpire {
using Text = std::string;
using Texts = std::vector<Text>;

inline int seats;                // of the match
inline unsigned long long seed;  // to draw from, and from nothing else
inline Texts given;              // the lines of the case

inline Text hear() {
    Text line;
    if (!std::getline(std::cin, line)) std::exit(0);  // this flushes what was said
    return line;
}
inline void begin() {
    Text word;
    int n;
    std::istringstream(hear()) >> word >> n >> seats >> seed >> n;
    for (given.clear(); n > 0; n--) given.push_back(hear());
}
inline void tell(const Text& verb, const Text& text) {  // each line of a text
    std::istringstream in(text + "\n");
    for (Text line; std::getline(in, line);) std::cout << verb << ' ' << line << '\n';
}
inline Text with(const Text& verb, int seat) { return verb + " " + std::to_string(seat); }
inline void show(const Text& text, int seat = 0) { tell(seat ? with("show-to", seat) : "show", text); }
inline void svg(const Text& line, int seat = 0) { tell(seat ? with("svg-to", seat) : "svg", line); }
inline void note(const Text& text) { tell("note", text); }
inline void say(int seat, const Text& text) { tell(with("say", seat), text); }
inline void foul(int seat, const Text& why) { tell(with("foul", seat), why); }
inline void refuse(int line, const Text& why) { tell(with("refuse", line), why), hear(); }

// asks seats, ascending, at the same time: what each replied; nothing of one that has failed.
inline std::vector<std::optional<Text>> ask(const std::vector<int>& asked, std::map<int, Texts> choices) {
    Text list;
    for (int seat : asked) for (const Text& choice : choices[seat]) tell(with("choice", seat), choice);
    for (int seat : asked) list += (list.empty() ? "" : " ") + std::to_string(seat);
    tell("ask", list);
    std::vector<std::optional<Text>> replies;
    for (int seat : asked) {
        Text line = hear(), begins = with("reply", seat) + " ";
        replies.push_back(line.rfind(begins, 0) == 0 ? std::optional(line.substr(begins.size())) : std::nullopt);
    }
    return replies;
}
inline Text ask(int seat, const Texts& choices = {}) { return ask(std::vector{seat}, {{seat, choices}})[0].value_or(""); }

// ends the match: a score for each seat, higher is better, as in end("1 0").
inline void end(const Text& scores) { tell("end", scores), std::cout.flush(), std::exit(0); }
}  // namespace umpire
