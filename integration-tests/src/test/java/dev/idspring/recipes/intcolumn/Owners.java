package dev.idspring.recipes.intcolumn;

import org.springframework.data.jpa.repository.JpaRepository;

interface Owners extends JpaRepository<Owner, Integer> {

}
