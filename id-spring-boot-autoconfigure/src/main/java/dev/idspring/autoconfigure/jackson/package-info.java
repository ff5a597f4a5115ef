/**
 * Lets Jackson write and read ids as JSON strings.
 */
@NullMarked
package dev.idspring.autoconfigure.jackson;

import org.jspecify.annotations.NullMarked;
