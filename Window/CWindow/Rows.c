// A list whose rows are made when somebody looks at them.

#include "CWindow_private.h"

// A row.

typedef struct {
    GObject parent;
    char *texts[3];
    GdkPaintable *picture;
    void *context;
    CWindowEnd end;
} CWindowRow;
typedef struct { GObjectClass parent; } CWindowRowClass;

G_DEFINE_TYPE(CWindowRow, row, G_TYPE_OBJECT)

GType CWindow_row_type(void) { return row_get_type(); }

static const char *const text_names[] = { "title", "subtitle", "mark" };
enum { PICTURE = G_N_ELEMENTS(text_names) + 1, HAS_SUBTITLE, HAS_MARK };

static bool is_there(const char *text) { return text && *text; }

static void row_get(GObject *object, guint number, GValue *value, GParamSpec *spec) {
    (void)spec;
    CWindowRow *row = (CWindowRow *)object;
    if (number == PICTURE) g_value_set_object(value, row->picture);
    else if (number == HAS_SUBTITLE) g_value_set_boolean(value, is_there(row->texts[1]));
    else if (number == HAS_MARK) g_value_set_boolean(value, is_there(row->texts[2]));
    else g_value_set_string(value, row->texts[number - 1]);
}

static void row_set(GObject *object, guint number, const GValue *value, GParamSpec *spec) {
    (void)spec;
    CWindowRow *row = (CWindowRow *)object;
    if (number == PICTURE) g_set_object(&row->picture, g_value_get_object(value));
    else {
        g_free(row->texts[number - 1]);
        row->texts[number - 1] = g_value_dup_string(value);
        if (number == 2) g_object_notify(object, "has-subtitle");
        if (number == 3) g_object_notify(object, "has-mark");
    }
}

static void row_finalize(GObject *object) {
    CWindowRow *row = (CWindowRow *)object;
    for (size_t index = 0; index < G_N_ELEMENTS(row->texts); index++) g_free(row->texts[index]);
    g_clear_object(&row->picture);
    if (row->end) row->end(row->context);
    G_OBJECT_CLASS(row_parent_class)->finalize(object);
}

static void row_class_init(CWindowRowClass *class) {
    GObjectClass *object = G_OBJECT_CLASS(class);
    object->get_property = row_get;
    object->set_property = row_set;
    object->finalize = row_finalize;
    for (guint index = 0; index < G_N_ELEMENTS(text_names); index++)
        g_object_class_install_property(object, index + 1, g_param_spec_string(text_names[index], NULL, NULL, "", G_PARAM_READWRITE | G_PARAM_STATIC_STRINGS));
    g_object_class_install_property(object, PICTURE, g_param_spec_object("picture", NULL, NULL, GDK_TYPE_PAINTABLE, G_PARAM_READWRITE | G_PARAM_STATIC_STRINGS));
    g_object_class_install_property(object, HAS_SUBTITLE, g_param_spec_boolean("has-subtitle", NULL, NULL, FALSE, G_PARAM_READABLE | G_PARAM_STATIC_STRINGS));
    g_object_class_install_property(object, HAS_MARK, g_param_spec_boolean("has-mark", NULL, NULL, FALSE, G_PARAM_READABLE | G_PARAM_STATIC_STRINGS));
}

static void row_init(CWindowRow *row) { (void)row; }

CWindowObject *CWindow_row(const char *title, const char *subtitle, const char *mark, void *context, CWindowEnd end) {
    CWindowRow *row = g_object_new(row_get_type(), "title", title, "subtitle", subtitle, "mark", mark, NULL);
    row->context = context;
    row->end = end;
    return OBJECT(row);
}

// The list.

typedef struct {
    GObject parent;
    CWindowCount count;
    CWindowItem item;
    void *context;
    CWindowEnd end;
} CWindowRows;
typedef struct { GObjectClass parent; } CWindowRowsClass;

static GType item_type(GListModel *rows) {
    (void)rows;
    return row_get_type();
}

static guint rows_count(GListModel *rows) { return (guint)((CWindowRows *)rows)->count(((CWindowRows *)rows)->context); }

static void *rows_item(GListModel *rows, guint position) {
    return position < rows_count(rows) ? ((CWindowRows *)rows)->item(((CWindowRows *)rows)->context, position) : NULL;
}

static void list_init(GListModelInterface *list) {
    list->get_item_type = item_type;
    list->get_n_items = rows_count;
    list->get_item = rows_item;
}

G_DEFINE_TYPE_WITH_CODE(CWindowRows, rows, G_TYPE_OBJECT, G_IMPLEMENT_INTERFACE(G_TYPE_LIST_MODEL, list_init))

static void rows_finalize(GObject *object) {
    ((CWindowRows *)object)->end(((CWindowRows *)object)->context);
    G_OBJECT_CLASS(rows_parent_class)->finalize(object);
}

static void rows_class_init(CWindowRowsClass *class) { G_OBJECT_CLASS(class)->finalize = rows_finalize; }
static void rows_init(CWindowRows *rows) { (void)rows; }

CWindowObject *CWindow_rows(CWindowCount count, CWindowItem item, void *context, CWindowEnd end) {
    CWindowRows *rows = g_object_new(rows_get_type(), NULL);
    *rows = (CWindowRows){ rows->parent, count, item, context, end };
    return OBJECT(rows);
}

void CWindow_rows_changed(CWindowObject *rows, size_t position, size_t removed, size_t added) {
    g_list_model_items_changed(G_LIST_MODEL(rows), (guint)position, (guint)removed, (guint)added);
}

// A row in two lines, under a heading where it has a mark.
static const char lines[] =
    "<interface><template class='GtkListItem'><property name='child'><object class='GtkBox'>"
    "<property name='orientation'>vertical</property><property name='spacing'>2</property>"
    "<property name='margin-top'>6</property><property name='margin-bottom'>6</property><property name='margin-start'>6</property><property name='margin-end'>6</property>"
    "<child><object class='GtkLabel'><property name='xalign'>0</property><property name='ellipsize'>end</property><property name='margin-bottom'>6</property>"
    "<style><class name='heading'/></style>"
    "<binding name='visible'><lookup name='has-mark' type='CWindowRow'><lookup name='item'>GtkListItem</lookup></lookup></binding>"
    "<binding name='label'><lookup name='mark' type='CWindowRow'><lookup name='item'>GtkListItem</lookup></lookup></binding></object></child>"
    "<child><object class='GtkLabel'><property name='xalign'>0</property><property name='ellipsize'>end</property>"
    "<binding name='label'><lookup name='title' type='CWindowRow'><lookup name='item'>GtkListItem</lookup></lookup></binding></object></child>"
    "<child><object class='GtkLabel'><property name='xalign'>0</property><property name='ellipsize'>end</property>"
    "<style><class name='dim-label'/><class name='caption'/></style>"
    "<binding name='visible'><lookup name='has-subtitle' type='CWindowRow'><lookup name='item'>GtkListItem</lookup></lookup></binding>"
    "<binding name='label'><lookup name='subtitle' type='CWindowRow'><lookup name='item'>GtkListItem</lookup></lookup></binding></object></child>"
    "</object></property></template></interface>";

CWindowObject *CWindow_row_factory(void) {
    GBytes *bytes = g_bytes_new_static(lines, sizeof lines - 1);
    GtkListItemFactory *factory = gtk_builder_list_item_factory_new_from_bytes(NULL, bytes);
    g_bytes_unref(bytes);
    return OBJECT(factory);
}
