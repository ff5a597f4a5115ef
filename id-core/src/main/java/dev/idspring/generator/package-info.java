/**
 * What all generators have in common: their base class, and their builder.
 */
@NullMarked
package dev.idspring.generator;

import org.jspecify.annotations.NullMarked;
