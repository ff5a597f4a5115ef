/**
 * The types that users name: the generators, the description of an id, and the errors.
 */
@NullMarked
package dev.idspring;

import org.jspecify.annotations.NullMarked;
