/**
 * Ids in the OpenAPI documents of springdoc.
 */
@NullMarked
package dev.idspring.autoconfigure.openapi;

import org.jspecify.annotations.NullMarked;
