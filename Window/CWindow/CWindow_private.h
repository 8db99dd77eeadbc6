#ifndef CWINDOW_PRIVATE_H
#define CWINDOW_PRIVATE_H

#include "CWindow.h"
#include <adwaita.h>
#include <gtksourceview/gtksource.h>

#define OBJECT(pointer) ((CWindowObject *)(pointer))

GType CWindow_row_type(void);

#endif
