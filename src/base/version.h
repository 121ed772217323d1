/* The version of percuss. */
#ifndef PC_BASE_VERSION_H
#define PC_BASE_VERSION_H

#define PC_VERSION "0.1.0"

#endif
