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

#[test]
fn what_only_one_function_may_free_is_ended_by_it() {
    let document = document(
        "held-counted",
        "struct doc; struct feed; struct node; struct item;\n\
         void doc_free(struct doc *doc);\n\
         /* do not call item_delete directly */\nvoid item_delete(struct item *item);\n\
         void feed_destroy(struct feed *feed); void feed_unref(struct feed *feed);\n\
         int node_free(struct node *node);\n",
        "#include <stdlib.h>\n\
         struct doc { int owners; }; struct feed { int owners; }; struct node { int owners; }; struct item { int kind; };\n\
         void item_delete(struct item *item) { if (item->kind) free(item); }\n\
         void doc_free(struct doc *doc) { if (doc && --doc->owners == 0) free(doc); }\n\
         void feed_destroy(struct feed *feed) { if (--feed->owners == 0) free(feed); }\n\
         void feed_unref(struct feed *feed) { if (--feed->owners == 0) free(feed); }\n\
         int node_free(struct node *node) { if (node->owners > 1) return -1; free(node); return 0; }\n",
    );
    let parameter = |name: &str| &function(&document, name)["parameters"][0];
    assert_eq!(parameter("doc_free")["x-free"], "doc_free");
    assert!(questions(parameter("doc_free")).is_empty());
    // Of two functions, one may give up what something else owns; one that says that it failed may have freed nothing; and one
    // that is not to be called is behind something else that gives up an owner.
    for name in ["feed_destroy", "feed_unref", "node_free", "item_delete"] {
        assert_eq!(questions(parameter(name)).len(), 1, "{name}: {}", parameter(name));
    }
}

#[test]
fn what_a_function_returns_may_hold_or_need_its_handle() {
    let document = document(
        "held-views",
        "struct made { long size; double *data; }; void made_free(struct made *made);\n\
         struct row { long size; double *data; struct made *of; }; struct title { const char *text; long size, room; };\n\
         struct row made_row(struct made *made, long at); struct title made_title(struct made *made);\n\
         struct view; void view_free(struct view *view); struct view *view_of(struct made *made);\n\
         struct view *view_shared(struct made *made);\n",
        "#include <stdlib.h>\n\
         struct made { long size; double *data; }; void made_free(struct made *made) { free(made->data); free(made); }\n\
         struct row { long size; double *data; struct made *of; }; struct title { const char *text; long size, room; };\n\
         struct row made_row(struct made *m, long at) { struct row row = { m->size, m->data + at, 0 }; return row; }\n\
         struct title made_title(struct made *m) { struct title title = { (char *)m->data, m->size, 0 }; return title; }\n\
         struct view { struct made *of; }; void view_free(struct view *view) { free(view); }\n\
         struct view *view_of(struct made *m) { struct view *v = malloc(sizeof *v); if (v) v->of = m; return v; }\n\
         struct view *view_shared(struct made *m) { m->size++; return view_of(m); }\n",
    );
    let made = |name: &str| &function(&document, name)["parameters"][0];
    assert_eq!(made("made_row")["schema"]["cType"]["x-handle"], "made", "{}", made("made_row"));
    assert!(questions(made("made_row")).is_empty());
    // A text is read with the struct.
    assert_eq!(questions(made("made_title")).len(), 1, "{}", made("made_title"));
    let (view, needed) = (&function(&document, "view_of")["return"], made("view_of"));
    assert!(view["x-parent"] == "made" && view["x-free"] == "view_free", "{view}");
    assert!(questions(needed).is_empty() && needed.get("x-keeps").is_none(), "{needed}");
    // With one owner more, what is returned does not need the caller's.
    let shared = &function(&document, "view_shared")["return"];
    assert!(shared.get("x-parent").is_none() && questions(shared).len() == 1, "{shared}");
}

#[test]
fn a_library_lets_its_user_choose_functions_for_memory() {
    let document = document(
        "held-hooks",
        "struct box { long size; }; void box_free(struct box *box); long box_size(struct box *box);\n\
         struct pipe { long size; }; void pipe_free(struct pipe *pipe); long pipe_size(struct pipe *pipe);\n",
        "#include <stdlib.h>\n\
         void (*box_hook)(void *) = free; void (*pipe_hook)(void *);\n\
         struct box { long size; }; struct pipe { long size; };\n\
         void box_free(struct box *box) { if (box) box_hook(box); } long box_size(struct box *box) { return box->size; }\n\
         void pipe_free(struct pipe *pipe) { if (pipe) pipe_hook(pipe); } long pipe_size(struct pipe *pipe) { return pipe->size; }\n",
    );
    let parameter = |name: &str| &function(&document, name)["parameters"][0];
    assert_eq!(parameter("box_free")["x-free"], "box_free");
    assert_eq!(parameter("box_size")["schema"]["cType"]["x-handle"], "box");
    assert!(parameter("pipe_free").get("x-free").is_none() && questions(parameter("pipe_free")).len() == 1);
    assert!(parameter("pipe_size")["schema"]["cType"].get("x-handle").is_none());
}
