/**
 * A link shortener. An {@code IdGenerator} issues the ids of the links.
 */
@NullMarked
package dev.idspring.sample;

import org.jspecify.annotations.NullMarked;
