/**
 * Ids in their text form in GraphQL.
 */
@NullMarked
package dev.idspring.autoconfigure.graphql;

import org.jspecify.annotations.NullMarked;
