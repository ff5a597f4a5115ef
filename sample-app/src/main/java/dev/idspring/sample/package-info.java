/**
 * A link shortener. Its keys come from an {@code IdGenerator}, and its links are stored
 * in a table.
 */
@NullMarked
package dev.idspring.sample;

import org.jspecify.annotations.NullMarked;
