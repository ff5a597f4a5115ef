/**
 * Ids in their text form in the paths, parameters and headers of requests, with Spring
 * MVC and Spring WebFlux.
 */
@NullMarked
package dev.idspring.web;

import org.jspecify.annotations.NullMarked;
