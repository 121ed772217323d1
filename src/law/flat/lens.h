/* The place where two discs overlap, cut by a line in any direction: see flat/lens.c. */
#ifndef PC_LAW_FLAT_LENS_H
#define PC_LAW_FLAT_LENS_H

/* A disc of radius `radius` about the origin and another of radius `other` about (offset, 0); m. */
typedef struct pc_lens {
    double radius, other, offset;
} pc_lens;

/* Where the rims cross, above the line of the centres and, mirrored, below it; how many such points there are (0, 2).
 * */
int pc_lens_corners(const pc_lens *lens, double corner[2]);

/* The place of the lens farthest in the direction (cos a, sin a). */
void pc_lens_farthest(const pc_lens *lens, const double direction[2], double place[2]);

/* Springs all over the lens, of density 1, at the depth d + p.r > 0: force, its moments and its potential, of which
 * force and moments are the derivatives by d and p; of the pressure, the centre (where nothing is pressed, the lowest
 * place) and the variances about it (xx, xy, yy). */
typedef struct pc_lens_load {
    double force, moment[2], potential;
    double centre[2], spread[3];
} pc_lens_load;
pc_lens_load pc_lens_press(const pc_lens *lens, double d, const double p[2]);

/* The same while all of it is pressed, going on smoothly beyond (see pc_flat_press_whole). */
pc_lens_load pc_lens_press_whole(const pc_lens *lens, double d, const double p[2]);

double pc_lens_area(const pc_lens *lens);

#endif
