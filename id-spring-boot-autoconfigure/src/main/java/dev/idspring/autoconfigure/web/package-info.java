/**
 * Ids in their text form in the paths, parameters and headers of requests, with Spring
 * MVC and Spring WebFlux.
 */
@NullMarked
package dev.idspring.autoconfigure.web;

import org.jspecify.annotations.NullMarked;
