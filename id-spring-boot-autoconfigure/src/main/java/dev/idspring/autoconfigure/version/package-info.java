/**
 * Checks that the starter supports the version of Spring Boot that is running.
 */
@NullMarked
package dev.idspring.autoconfigure.version;

import org.jspecify.annotations.NullMarked;
