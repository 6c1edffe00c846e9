//! What the machine code of a library does not prove: who owns what a handle holds, what is copied, and how many there are.

#![cfg(all(target_os = "linux", target_arch = "x86_64"))]

use super::code::library;
use super::command::argument;
use super::{function, imported, questions};
use serde_json::Value;

/// The document of a header and its library.
fn document(name: &str, header: &str, source: &str) -> Value {
    let library = library(name, source);
    let run = imported(name, header, &["--library", argument(&library)]);
    assert_eq!(run.status, 0, "{}", run.stderr);
    serde_json::from_str(&run.stdout).expect("JSON")
}

#[test]
fn what_code_that_cannot_be_read_may_free_does_not_live_as_long_as_its_handle() {
    let document = document(
        "held-list",
        "struct list; struct link; struct tree; struct leaf;\n\
         const struct link *list_front(struct list *list); void list_shift(struct list *list);\n\
         const struct leaf *tree_leaf(struct tree *tree); int tree_size(struct tree *tree);\n",
        "struct link { struct link *next; }; struct list { struct link *first; }; void (*release)(void *);\n\
         struct leaf { int size; }; struct tree { struct leaf *leaf; };\n\
         const struct link *list_front(struct list *list) { return list->first; }\n\
         void list_shift(struct list *list) { struct link *first = list->first; list->first = first->next; release(first); }\n\
         const struct leaf *tree_leaf(struct tree *tree) { return tree->leaf; }\n\
         int tree_size(struct tree *tree) { return tree->leaf->size; }\n",
    );
    let front = &function(&document, "list_front")["return"];
    assert!(front.get("x-parent").is_none() && questions(front).len() == 1, "{front}");
    let leaf = &function(&document, "tree_leaf")["return"];
    assert!(leaf["x-parent"] == "tree" && questions(leaf).is_empty(), "{leaf}");
}

#[test]
fn a_copy_may_or_may_not_need_what_it_was_copied_from() {
    let document = document(
        "held-copy",
        "struct box; struct view; void box_drop(struct box *box); void view_drop(struct view *view);\n\
         struct box *box_clone(const struct box *box);\n\
         /** Shows the box. */ struct view *view_of(struct box *box);\n",
        "#include <stdlib.h>\n#include <string.h>\n\
         struct box { long size, room[8]; }; struct view { struct box *box; };\n\
         void box_drop(struct box *box) { free(box); } void view_drop(struct view *view) { free(view); }\n\
         struct box *box_clone(const struct box *box) {\n\
         struct box *new = malloc(sizeof *new); if (new) memcpy(new, box, sizeof *new); return new; }\n\
         struct view *view_of(struct box *box) {\n\
         struct view *new = malloc(sizeof *new); if (new) new->box = box; return new; }\n",
    );
    let clone = &function(&document, "box_clone")["return"];
    assert!(clone.get("x-parent").is_none() && questions(clone).len() == 1, "{clone}");
    let view = &function(&document, "view_of")["return"];
    assert!(view["x-parent"] == "box" && view["x-free"] == "view_drop", "{view}");
}

#[test]
fn memory_for_as_many_as_the_caller_says_is_no_object() {
    let document = document(
        "held-several",
        "typedef struct { long index; double x, y; } glyph; typedef struct { long size; } sheet;\n\
         glyph *glyph_allocate(int num_glyphs); void glyph_free(glyph *glyphs);\n\
         double glyph_width(const glyph *glyphs, int num_glyphs);\n\
         void sheet_free(sheet *sheet); long sheet_room(const sheet *sheet, int count);\n",
        "#include <stdlib.h>\n\
         typedef struct { long index; double x, y; } glyph; typedef struct { long size; } sheet;\n\
         glyph *glyph_allocate(int n) { return malloc(n * sizeof(glyph)); } void glyph_free(glyph *glyphs) { free(glyphs); }\n\
         double glyph_width(const glyph *glyphs, int n) { double x = 0; while (n-- > 0) x += glyphs[n].x; return x; }\n\
         void sheet_free(sheet *sheet) { free(sheet); }\n\
         long sheet_room(const sheet *sheet, int count) { return sheet->size - count; }\n",
    );
    let glyphs = &function(&document, "glyph_width")["parameters"][0];
    assert!(glyphs["schema"]["cType"].get("x-handle").is_none(), "{glyphs}");
    assert_eq!(questions(glyphs).len(), 1, "{glyphs}");
    let sheet = &function(&document, "sheet_room")["parameters"][0];
    assert_eq!(sheet["schema"]["cType"]["x-handle"], "sheet", "{sheet}");
}
