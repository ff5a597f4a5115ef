/**
 * Ids as strings in the JSON of Jackson 2.
 */
@NullMarked
package dev.idspring.jackson2;

import org.jspecify.annotations.NullMarked;
