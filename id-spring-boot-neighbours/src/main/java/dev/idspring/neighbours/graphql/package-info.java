/**
 * Support for ids in their text form in GraphQL.
 */
@NullMarked
package dev.idspring.neighbours.graphql;

import org.jspecify.annotations.NullMarked;
