/**
 * Support for ids in the OpenAPI documents of springdoc.
 */
@NullMarked
package dev.idspring.neighbours.openapi;

import org.jspecify.annotations.NullMarked;
