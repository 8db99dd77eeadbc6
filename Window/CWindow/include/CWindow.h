// GTK and libadwaita for Swift, which cannot call what they have as macros, with a variable number of arguments or as classes to be derived.
// Screens are described in GtkBuilder's language, so that few calls are enough: a part of a screen is found by its name, has properties, and
// says what happens to it. All of it is for the main thread, unless a line says otherwise. What is answered as an object is owned by who called.

#ifndef CWINDOW_H
#define CWINDOW_H

#include <stdbool.h>
#include <stddef.h>

/// Any object of GLib's.
typedef struct CWindowObject CWindowObject;

/// What comes with a signal: a number or a truth value, a text or an object. The text and the object are the caller's.
typedef struct {
    long long number;
    const char *_Nullable text;
    CWindowObject *_Nullable object;
} CWindowValue;

/// The answer is one where the signal has one.
typedef bool (*CWindowCall)(void *_Nonnull context, const CWindowValue *_Nonnull values, size_t count);
/// A context is not needed any more.
typedef void (*CWindowEnd)(void *_Nonnull context);

// Application.c

/// False where there is no display.
bool CWindow_prepare(const char *_Nonnull name);
/// Until the last window is closed. GLib's loop serves the main queue meanwhile.
int CWindow_run(const char *_Nonnull identifier, CWindowCall _Nonnull start, void *_Nonnull context);
/// A window belongs to the application, which runs as long as there is one.
void CWindow_add_window(CWindowObject *_Nonnull window);
/// Gives back what was used once and lies between what stays. From any thread.
void CWindow_return_memory(void);
void CWindow_set_keys(const char *_Nonnull action, const char *_Nonnull keys);

// Objects.c

void CWindow_free(char *_Nullable text);
void CWindow_keep(CWindowObject *_Nonnull object);
void CWindow_release(CWindowObject *_Nonnull object);
/// Nil where the description is wrong, and then `fault` says what is.
CWindowObject *_Nullable CWindow_build(const char *_Nonnull description, size_t length, char *_Nullable *_Nonnull fault);
CWindowObject *_Nullable CWindow_part(CWindowObject *_Nonnull builder, const char *_Nonnull name);
void CWindow_set_text(CWindowObject *_Nonnull object, const char *_Nonnull property, const char *_Nullable text);
void CWindow_set_number(CWindowObject *_Nonnull object, const char *_Nonnull property, long long number);
void CWindow_set_object(CWindowObject *_Nonnull object, const char *_Nonnull property, CWindowObject *_Nullable value);
/// Given to CWindow_free, as each text that is answered.
char *_Nullable CWindow_text(CWindowObject *_Nonnull object, const char *_Nonnull property);
long long CWindow_number(CWindowObject *_Nonnull object, const char *_Nonnull property);
CWindowObject *_Nullable CWindow_object(CWindowObject *_Nonnull object, const char *_Nonnull property);
void CWindow_connect(CWindowObject *_Nonnull object, const char *_Nonnull signal, CWindowCall _Nonnull call, void *_Nonnull context, CWindowEnd _Nonnull end);
/// An action of a window, `win.name`.
CWindowObject *_Nonnull CWindow_add_action(CWindowObject *_Nonnull window, const char *_Nonnull name);
/// What is done with keys that are pressed in a widget.
void CWindow_add_key(CWindowObject *_Nonnull widget, const char *_Nonnull keys, CWindowCall _Nonnull call, void *_Nonnull context, CWindowEnd _Nonnull end);
void CWindow_search_keys(CWindowObject *_Nonnull bar, CWindowObject *_Nonnull window, CWindowObject *_Nonnull entry);
bool CWindow_focus(CWindowObject *_Nonnull widget);
/// Whether the widget, or one in it, has the keyboard.
bool CWindow_has_focus(CWindowObject *_Nonnull widget);
void CWindow_present(CWindowObject *_Nonnull window);
void CWindow_close(CWindowObject *_Nonnull window, bool at_once);

// Rows.c

typedef size_t (*CWindowCount)(void *_Nonnull context);
/// A row of the list; owned by who asked.
typedef CWindowObject *_Nonnull (*CWindowItem)(void *_Nonnull context, size_t position);

/// A list for GtkListView and GtkGridView, whose rows are made when they are seen.
CWindowObject *_Nonnull CWindow_rows(CWindowCount _Nonnull count, CWindowItem _Nonnull item, void *_Nonnull context, CWindowEnd _Nonnull end);
void CWindow_rows_changed(CWindowObject *_Nonnull rows, size_t position, size_t removed, size_t added);
/// What is shown of one is in the properties `title`, `subtitle`, `mark` and `picture`; `has-subtitle` and `has-mark` say whether there is one. `end` is called when nobody shows it any more.
CWindowObject *_Nonnull CWindow_row(const char *_Nonnull title, const char *_Nonnull subtitle, const char *_Nonnull mark, void *_Nonnull context, CWindowEnd _Nonnull end);
/// The usual look of a row, for a view's `factory`: two lines, and the mark as a heading above them.
CWindowObject *_Nonnull CWindow_row_factory(void);

// Log.c

/// Whether somebody measures the window.
bool CWindow_is_logged(void);
/// A line of the log of VALISE_WINDOW_LOG, with the time before it.
void CWindow_log(const char *_Nonnull words);
/// A line for each frame of a window, with how long that took in microseconds.
void CWindow_log_frames(CWindowObject *_Nonnull window);

// Text.c

char *_Nonnull CWindow_buffer_text(CWindowObject *_Nonnull buffer);
/// The characters from one to another one, or to the end where there are fewer, become these. With `is_first`, it is no step that can be undone.
void CWindow_buffer_replace(CWindowObject *_Nonnull buffer, size_t from, size_t to, const char *_Nonnull text, size_t length, bool is_first);
/// Lines with a background of their own: `added` or `removed`.
void CWindow_buffer_mark(CWindowObject *_Nonnull buffer, size_t first, size_t count, const char *_Nonnull mark);
/// Colours of the text follow the dark style.
void CWindow_buffer_follow_style(CWindowObject *_Nonnull buffer);

// Windows.c

/// A line at the window's lower edge, with a button where `action` is not nil. `lines`: what is too long for one, in several.
CWindowObject *_Nonnull CWindow_toast(CWindowObject *_Nonnull overlay, const char *_Nonnull title, const char *_Nullable lines, const char *_Nullable action);
void CWindow_dismiss_toast(CWindowObject *_Nonnull toast);
/// A question before a window; with `text`, its `extra-child` is an entry that has it.
CWindowObject *_Nonnull CWindow_question(CWindowObject *_Nonnull window, const char *_Nonnull heading, const char *_Nonnull body, const char *_Nullable text);
/// `kind`: 0 as others, 1 what is suggested and done by Enter, 2 what destroys something.
void CWindow_add_response(CWindowObject *_Nonnull question, const char *_Nonnull name, const char *_Nonnull label, int kind);

/// In the program that is for such addresses. The call's text says why not, where it could not be.
void CWindow_open_address(CWindowObject *_Nonnull window, const char *_Nonnull address, CWindowCall _Nonnull call, void *_Nonnull context, CWindowEnd _Nonnull end);

// Files.c

/// A picture of a file's bytes, no larger than `most` points in each direction; nil where they are none, or a very large one. From any thread.
CWindowObject *_Nullable CWindow_picture(const void *_Nonnull bytes, size_t length, int most);
/// Whether they are a picture of more points than are drawn, and of how many in each direction.
bool CWindow_picture_is_too_large(const void *_Nonnull bytes, size_t length, int *_Nonnull width, int *_Nonnull height);
/// The folder that a GtkFileChooserNative shows first.
void CWindow_choose_in(CWindowObject *_Nonnull chooser, const char *_Nonnull folder);
/// The paths that somebody chose in a GtkFileChooserNative, as the texts of one call.
void CWindow_chosen(CWindowObject *_Nonnull chooser, CWindowCall _Nonnull call, void *_Nonnull context);
/// Called with the paths of files that are dropped on a widget.
void CWindow_accept_files(CWindowObject *_Nonnull widget, CWindowCall _Nonnull call, void *_Nonnull context, CWindowEnd _Nonnull end);

#endif
