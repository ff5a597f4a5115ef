/**
 * Checks that the starter supports the version of Spring Boot that the application uses.
 */
@NullMarked
package dev.idspring.autoconfigure.version;

import org.jspecify.annotations.NullMarked;
