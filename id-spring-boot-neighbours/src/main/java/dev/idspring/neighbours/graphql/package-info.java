/**
 * Reads and writes the text form of ids in GraphQL.
 */
@NullMarked
package dev.idspring.neighbours.graphql;

import org.jspecify.annotations.NullMarked;
