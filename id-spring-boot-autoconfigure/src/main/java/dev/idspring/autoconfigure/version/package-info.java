/**
 * Checks that the starter matches the line of Spring Boot that is running.
 */
@NullMarked
package dev.idspring.autoconfigure.version;

import org.jspecify.annotations.NullMarked;
