package dev.idspring.neighbours.datarest;

import java.io.Serializable;

import dev.idspring.annotation.IdAsString;
import jakarta.persistence.Embeddable;

@Embeddable
@IdAsString("visits")
public record VisitId(long visit) implements Serializable {

}
