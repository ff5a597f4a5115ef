/**
 * A shop that stores its customers, products and orders with Spring Data JPA.
 */
package dev.idspring.integration.jpa;
