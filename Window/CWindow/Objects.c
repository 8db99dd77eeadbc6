// Objects by their names: parts of a screen, their properties, and what happens to them.

#include "CWindow_private.h"

void CWindow_keep(CWindowObject *object) { g_object_ref_sink(object); }
void CWindow_release(CWindowObject *object) { g_object_unref(object); }

void CWindow_free(char *text) { g_free(text); }

CWindowObject *CWindow_build(const char *description, size_t length, char **fault) {
    GtkBuilder *builder = gtk_builder_new();
    GError *error = NULL;
    if (gtk_builder_add_from_string(builder, description, (gssize)length, &error)) return OBJECT(builder);
    *fault = g_strdup(error->message);
    g_error_free(error);
    g_object_unref(builder);
    return NULL;
}

CWindowObject *CWindow_part(CWindowObject *builder, const char *name) {
    GObject *part = gtk_builder_get_object(GTK_BUILDER(builder), name);
    return part ? OBJECT(g_object_ref(part)) : NULL;
}

void CWindow_set_text(CWindowObject *object, const char *property, const char *text) { g_object_set(G_OBJECT(object), property, text, NULL); }

void CWindow_set_object(CWindowObject *object, const char *property, CWindowObject *value) { g_object_set(G_OBJECT(object), property, value, NULL); }

// A property has its own width, and a number of variable arguments has to have that.
void CWindow_set_number(CWindowObject *object, const char *property, long long number) {
    GValue value = G_VALUE_INIT, wide = G_VALUE_INIT;
    GParamSpec *wanted = g_object_class_find_property(G_OBJECT_GET_CLASS(object), property);
    if (!wanted) return;
    g_value_init(&wide, G_TYPE_INT64);
    g_value_set_int64(&wide, number);
    g_value_init(&value, wanted->value_type);
    if (G_VALUE_HOLDS_BOOLEAN(&value)) g_value_set_boolean(&value, number != 0);
    else g_value_transform(&wide, &value);
    g_object_set_property(G_OBJECT(object), property, &value);
    g_value_unset(&value);
    g_value_unset(&wide);
}

char *CWindow_text(CWindowObject *object, const char *property) {
    char *text = NULL;
    g_object_get(G_OBJECT(object), property, &text, NULL);
    return text;
}

static long long number(const GValue *value) {
    GValue wide = G_VALUE_INIT;
    g_value_init(&wide, G_TYPE_INT64);
    if (G_VALUE_HOLDS_BOOLEAN(value)) g_value_set_int64(&wide, g_value_get_boolean(value));
    else if (G_VALUE_HOLDS_ENUM(value)) g_value_set_int64(&wide, g_value_get_enum(value));
    else if (g_value_type_transformable(G_VALUE_TYPE(value), G_TYPE_INT64)) g_value_transform(value, &wide);
    long long answer = g_value_get_int64(&wide);
    g_value_unset(&wide);
    return answer;
}

long long CWindow_number(CWindowObject *object, const char *property) {
    GValue value = G_VALUE_INIT;
    g_object_get_property(G_OBJECT(object), property, &value);
    long long answer = number(&value);
    g_value_unset(&value);
    return answer;
}

CWindowObject *CWindow_object(CWindowObject *object, const char *property) {
    GObject *value = NULL;
    g_object_get(G_OBJECT(object), property, &value, NULL);
    return OBJECT(value);
}

// A closure of ours, so that one form of call serves every signal: its values are read as what they are.
struct call {
    GClosure closure;
    CWindowCall function;
    CWindowEnd end;
};

static void marshal(GClosure *closure, GValue *answer, guint count, const GValue *given, void *hint, void *data) {
    (void)hint, (void)data;
    CWindowValue values[4] = { 0 };
    // The first one is who says it.
    guint used = MIN(count - 1, 4);
    for (guint index = 0; index < used; index++) {
        const GValue *value = &given[index + 1];
        if (G_VALUE_HOLDS_STRING(value)) values[index].text = g_value_get_string(value);
        else if (G_VALUE_HOLDS_OBJECT(value)) values[index].object = OBJECT(g_value_get_object(value));
        else values[index].number = number(value);
    }
    bool answered = ((struct call *)closure)->function(closure->data, values, used);
    if (answer && G_VALUE_HOLDS_BOOLEAN(answer)) g_value_set_boolean(answer, answered);
}

static void end_call(void *context, GClosure *closure) { ((struct call *)closure)->end(context); }

void CWindow_connect(CWindowObject *object, const char *signal, CWindowCall call, void *context, CWindowEnd end) {
    GClosure *closure = g_closure_new_simple(sizeof(struct call), context);
    ((struct call *)closure)->function = call;
    ((struct call *)closure)->end = end;
    g_closure_set_marshal(closure, marshal);
    g_closure_add_finalize_notifier(closure, context, end_call);
    g_signal_connect_closure(object, signal, closure, FALSE);
}

CWindowObject *CWindow_add_action(CWindowObject *window, const char *name) {
    GSimpleAction *action = g_simple_action_new(name, NULL);
    g_action_map_add_action(G_ACTION_MAP(window), G_ACTION(action));
    return OBJECT(action);
}

struct key {
    CWindowCall call;
    void *context;
    CWindowEnd end;
};

static gboolean pressed(GtkWidget *widget, GVariant *none, void *data) {
    (void)widget, (void)none;
    CWindowValue values = { 0 };
    return ((struct key *)data)->call(((struct key *)data)->context, &values, 0);
}

static void end_key(void *data) {
    ((struct key *)data)->end(((struct key *)data)->context);
    g_free(data);
}

void CWindow_add_key(CWindowObject *widget, const char *keys, CWindowCall call, void *context, CWindowEnd end) {
    struct key *key = g_new(struct key, 1);
    *key = (struct key){ call, context, end };
    GtkEventController *controller = gtk_shortcut_controller_new();
    GtkShortcutAction *action = gtk_callback_action_new(pressed, key, end_key);
    gtk_shortcut_controller_add_shortcut(GTK_SHORTCUT_CONTROLLER(controller), gtk_shortcut_new(gtk_shortcut_trigger_parse_string(keys), action));
    gtk_widget_add_controller(GTK_WIDGET(widget), controller);
}

void CWindow_search_keys(CWindowObject *bar, CWindowObject *window, CWindowObject *entry) {
    gtk_search_bar_connect_entry(GTK_SEARCH_BAR(bar), GTK_EDITABLE(entry));
    gtk_search_bar_set_key_capture_widget(GTK_SEARCH_BAR(bar), GTK_WIDGET(window));
}

bool CWindow_focus(CWindowObject *widget) { return gtk_widget_grab_focus(GTK_WIDGET(widget)); }

bool CWindow_has_focus(CWindowObject *widget) {
    GtkRoot *root = gtk_widget_get_root(GTK_WIDGET(widget));
    GtkWidget *focus = root ? gtk_root_get_focus(root) : NULL;
    return focus && (focus == GTK_WIDGET(widget) || gtk_widget_is_ancestor(focus, GTK_WIDGET(widget)));
}

void CWindow_present(CWindowObject *window) {
    if (GTK_IS_NATIVE_DIALOG(window)) gtk_native_dialog_show(GTK_NATIVE_DIALOG(window));
    else gtk_window_present(GTK_WINDOW(window));
}

void CWindow_close(CWindowObject *window, bool at_once) {
    if (GTK_IS_NATIVE_DIALOG(window)) gtk_native_dialog_destroy(GTK_NATIVE_DIALOG(window));
    else if (at_once) gtk_window_destroy(GTK_WINDOW(window));
    else gtk_window_close(GTK_WINDOW(window));
}
