"""What people are called behind a title, which is no name: ``Mr. President``, ``Herr Doktor``."""

_OFFICES = """
    President Vice Prime Minister Chairman Chairwoman Speaker Mayor Secretary Ambassador Justice
    Judge Attorney Senator Governor Director Chief General Admiral Commissioner Commander Doctor
    Professor Inspector Detective Sergeant Lieutenant Captain Colonel Sheriff Officer Agent Nurse
    Right Wrong Perfect Nice Big Tough Know Universe World America Christmas Sir Madam Mom Dad
    Präsident Präsidentin Kanzler Kanzlerin Minister Ministerin Bürgermeister Richter Richterin
    Doktor Kommissar Kommissarin Inspektor Hauptmann Oberst Leutnant Major Feldwebel Kapitän
    Direktor Direktorin Lehrer Lehrerin Pfarrer Pastor Ober Wirt Graf Gräfin Baron König Königin
    Gott Jesus Nachbar Nachbarin Kollege Kollegin Rat Vorsitzender
    Presidente Presidenta Ministro Ministra Alcalde Alcaldesa Juez Jueza Director Directora Doctor
    Doctora Capitán Inspector Inspectora Embajador Secretario Dios Jesús
    Président Présidente Ministre Maire Juge Directeur Directrice Docteur Capitaine Inspecteur
    Commissaire Ambassadeur Dieu
    Ministra Sindaco Giudice Direttore Direttrice Dottore Dottoressa Capitano Ispettore
    Commissario Ambasciatore Dio
"""
OFFICES = frozenset(_OFFICES.split())
"""What is said to somebody behind another title, or means nobody."""
