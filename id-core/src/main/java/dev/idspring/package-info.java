/**
 * What users name: the generators, what an id tells, and the errors.
 */
@NullMarked
package dev.idspring;

import org.jspecify.annotations.NullMarked;
