#ifndef CFUSE3_H
#define CFUSE3_H
#endif
